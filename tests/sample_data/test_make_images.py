"""The file of images is what its maker makes, and its images are alike within patients."""

from runpy import run_path

from conftest import SAMPLE_DATA

import rocconf


def test_the_file_is_what_its_maker_makes(tmp_path):
    copy = tmp_path / "make_images.py"
    copy.write_bytes((SAMPLE_DATA / "make_images.py").read_bytes())
    run_path(str(copy), run_name="__main__")
    assert (tmp_path / "images.csv").read_bytes() == (SAMPLE_DATA / "images.csv").read_bytes()


def test_the_images_of_a_patient_are_alike():
    cases = rocconf.read_predictions(SAMPLE_DATA / "images.csv", score="new", cluster="patient")
    clustered = rocconf.sweep(rocconf.count(cases)).auc
    alone = rocconf.sweep(rocconf.count(rocconf.read_predictions(SAMPLE_DATA / "images.csv", score="new"))).auc
    assert len(cases.clusters.names) == 160
    assert clustered.se > 1.3 * alone.se
