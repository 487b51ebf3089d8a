#include "sensor.h"
#include <algorithm>
#include <cmath>
#include "sdk_clock.h"
#include "sdk_log.h"

namespace plant {

static const char *const TAG = "sensor";
static constexpr uint8_t REG_CONTROL = 0x20;
static constexpr uint8_t REG_DATA = 0x28;
static constexpr uint32_t INTERVAL_MS = 500;
static constexpr size_t HISTORY = 32;

/// Switch the sensor on and remember whether it answered.
void Sensor::setup() {
  uint8_t id = 0;
  if (!this->bus_->read(0x0F, &id, 1) || id != this->address_) {
    SDK_LOGW(TAG, "no sensor at 0x%02X", this->address_);
    this->ready_ = false;
    return;
  }
  this->ready_ = this->bus_->write(REG_CONTROL, 0x57);
  this->history_.reserve(HISTORY);
  SDK_LOGD(TAG, "größe: %u", static_cast<unsigned>(HISTORY));
}

bool Sensor::fetch_(Reading &reading) {
  uint8_t raw[2];
  if (!this->bus_->read(REG_DATA, raw, sizeof(raw))) {
    this->failures_++;
    return false;
  }
  auto value = static_cast<int16_t>((raw[1] << 8) | raw[0]);
  reading.value = static_cast<float>(value) * this->gain_ + this->offset_;
  reading.time_ms = sdk_millis();
  return true;
}

/// Read the sensor every interval, keep a short history and tell everyone who asked.
void Sensor::loop() {
  const uint32_t now = sdk_millis();
  if (!this->ready_ || now - this->last_ms_ < INTERVAL_MS) {
    return;
  }
  this->last_ms_ = now;
  Reading reading{};
  if (!this->fetch_(reading)) {
    if (this->failures_ > 5) {
      SDK_LOGW(TAG, "too many failures");
      this->ready_ = false;
    }
    return;
  }
  this->failures_ = 0;
  if (this->history_.size() == HISTORY) {
    this->history_.erase(this->history_.begin());
  }
  this->history_.push_back(reading);
  for (auto &callback : this->callbacks_) {
    callback(reading);
  }
}

bool Sensor::calibrate(const std::vector<float> &points) {
  if (points.size() < 2) {
    return false;
  }
  auto bounds = std::minmax_element(points.begin(), points.end());
  float span = *bounds.second - *bounds.first;
  if (std::fabs(span) < 0.001f) {
    SDK_LOGW(TAG, "span too small");
    return false;
  }
  this->gain_ = 100.0f / span;
  this->offset_ = -*bounds.first * this->gain_;
  return true;
}

float Sensor::average(size_t last) const {
  if (this->history_.empty()) {
    return NAN;
  }
  size_t count = std::min(last, this->history_.size());
  float sum = 0.0f;
  for (size_t i = this->history_.size() - count; i < this->history_.size(); i++) {
    sum += this->history_[i].value;
  }
  return sum / static_cast<float>(count);
}

void Sensor::on_reading(std::function<void(const Reading &)> callback) { this->callbacks_.push_back(callback); }

}  // namespace plant
