"""The command line: it starts one pytest per engine, follows their results, and has the report written."""
