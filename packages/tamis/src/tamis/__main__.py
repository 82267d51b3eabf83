"""`python -m tamis`."""

import sys

from tamis.cli.main import main

sys.exit(main())
