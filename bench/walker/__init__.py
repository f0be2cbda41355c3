"""The walker (H11): whole tournaments by random acts of everybody who may act, each of which can be ended."""
