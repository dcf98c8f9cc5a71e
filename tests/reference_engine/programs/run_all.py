"""Run the programs named on the command line, one after another in this process; print what each prints, as JSON."""

import contextlib
import io
import json
import runpy
import sys
import traceback
import warnings

results = {}
for path in sys.argv[1:]:
    output, problem = io.StringIO(), ""
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            runpy.run_path(path, run_name="__main__")
        except BaseException:
            problem = traceback.format_exc()
    results[path] = [output.getvalue(), problem]
print(json.dumps(results))
