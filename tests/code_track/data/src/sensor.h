#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace plant {

struct Reading {
  float value;
  uint32_t time_ms;
};

class Bus {
 public:
  bool write(uint8_t reg, uint8_t value);
  bool read(uint8_t reg, uint8_t *data, size_t length);
};

class Sensor {
 public:
  explicit Sensor(Bus *bus, uint8_t address) : bus_(bus), address_(address) {}
  void setup();
  void loop();
  bool calibrate(const std::vector<float> &points);
  float average(size_t last) const;
  void on_reading(std::function<void(const Reading &)> callback);

 protected:
  bool fetch_(Reading &reading);
  Bus *bus_;
  uint8_t address_;
  uint32_t last_ms_{0};
  float offset_{0.0f};
  float gain_{1.0f};
  uint8_t failures_{0};
  bool ready_{false};
  std::vector<Reading> history_;
  std::vector<std::function<void(const Reading &)>> callbacks_;
};

}  // namespace plant
