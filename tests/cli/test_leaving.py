"""A run leaves at once when it is done, and leaves nothing undone."""

PROGRAM = "from rocconf.__main__ import program; program()"


def test_what_libraries_leave_for_the_end_is_done(rocconf):
    code = f"import atexit, sys\natexit.register(print, 'tidied', file=sys.stderr)\n{PROGRAM}"
    ran = rocconf("--version", code=code)
    assert (ran.status, ran.out, ran.err) == (0, "rocconf 0.1.0\n", "tidied\n")


def test_nothing_is_taken_apart(rocconf):
    code = f"import sys\nclass Last:\n    def __del__(self): print('apart', file=sys.stderr)\nlast = Last()\n{PROGRAM}"
    assert rocconf("--version", code=code).err == ""


def test_a_failure_keeps_its_status(rocconf):
    assert rocconf("sweep", "missing.csv", code=PROGRAM).status == 2


def test_an_end_without_a_number_is_no_verdict(rocconf):
    code = f"import rocconf.__main__ as entry\ndef main(): raise SystemExit('broken')\nentry.main = main\n{PROGRAM}"
    assert rocconf(code=code).status == 2


def test_blas_starts_no_threads_unless_told_to(rocconf):
    code = "import os, sys\nfrom rocconf.__main__ import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
    code += "print(os.environ['OPENBLAS_NUM_THREADS'], file=sys.stderr)"
    unset = f"import os\nos.environ.pop('OPENBLAS_NUM_THREADS', None)\n{code}"
    assert rocconf("--version", code=unset).err == "1\n"
    assert rocconf("--version", code=code, env={"OPENBLAS_NUM_THREADS": "2"}).err == "2\n"
