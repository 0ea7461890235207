"""Reforms of this legislation. Every subclass of Reform in this package is one; its key is its class name."""
