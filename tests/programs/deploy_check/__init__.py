"""The tools that know the files of deploy/ and .github/: `make deploy-check`."""
