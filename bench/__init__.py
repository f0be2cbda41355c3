"""What is measured beside the tests, and what shows that the tests would see a fault."""
