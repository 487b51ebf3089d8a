#pragma once
#include <vector>
#include "drivers/led.h"

namespace app {

enum class Unit : uint8_t { CELSIUS, KELVIN };

constexpr float ABSOLUTE_ZERO = -273.15f;

class Component {
 public:
  virtual void setup() = 0;
  /// Marks the component as broken.
  void mark_failed();

 protected:
  bool failed_{false};
};

class Bus {
 public:
  bool read(uint8_t reg, uint8_t *data, size_t length);
};

class Sensor : public Component {
 public:
  void setup() override;
  float get(Unit unit) const {
    float value = this->last_ * this->gain_ + this->offset_;
    if (unit == Unit::KELVIN) {
      value = value - ABSOLUTE_ZERO;
    }
    return value;
  }
  void set_gain(float gain) { this->gain_ = gain; }
  bool update();

 protected:
  float convert_(uint16_t raw) const;
  Bus *bus_{nullptr};
  float last_{0};
  float gain_{1};
  float offset_{0};
  std::vector<float> history_;
};

class Lamp : public Component {
 public:
  void setup() override;
  void publish(float value);
};

}  // namespace app
