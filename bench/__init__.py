"""Programs beside the tests, and such as show that the tests would see a fault."""
