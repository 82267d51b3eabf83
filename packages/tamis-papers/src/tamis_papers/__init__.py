"""Published methods: small ones are a module, trained ones a folder with weights and README.md."""

__version__ = "0.2.0"
