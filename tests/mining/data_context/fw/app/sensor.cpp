#include "sensor.hpp"

namespace app {

static const char *const TAG = "sensor";
static const uint8_t REGISTER_VALUE = 0x10;

void log_line(const char *tag, const char *text);

void Sensor::setup() {
  uint8_t data[2];
  if (!this->bus_->read(REGISTER_VALUE, data, sizeof(data))) {
    log_line(TAG, "no answer");
    this->mark_failed();
    return;
  }
  this->last_ = this->convert_(data[0] << 8 | data[1]);
}

bool Sensor::update() {
  if (failed_) {
    return false;
  }
  history_.push_back(get(Unit::CELSIUS));
  setup();
  return true;
}

float Sensor::convert_(uint16_t raw) const { return raw / 16.0f + this->offset_; }

void Lamp::setup() {
  led_set(&led_table[0], 50);
  this->publish(ABSOLUTE_ZERO);
}

}  // namespace app
