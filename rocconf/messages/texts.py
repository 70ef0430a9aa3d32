"""What each warning and note means: what happened, why it matters, what to do, and where more of it stands."""

from __future__ import annotations

SLICES = "docs/slices.md"
METHODS, INTERVALS, CI, PAPERS = "docs/methods.md", "docs/intervals.md", "docs/ci.md", "docs/papers.md"
CLUSTERS = "docs/clusters.md"
PLAN = "docs/plan.md"
SCALE = "docs/scale.md"
ELAZMEH = "Elazmeh, Japkowicz and Matwin (2006), ROCML at ICML"
KLEMENT = "Klement, Flach, Japkowicz and Matwin (2009), on classification sensibility and concept drift"
BRADLEY = "Bradley (1996), Pattern Recognition Letters 17, 287-294"

TEXTS: dict[str, tuple[str, str, str, str]] = {
    "counted-one-class": (
        "All cases that were counted are of one class.",
        "Every analysis compares positives with negatives. A day without a positive is still part of its month.",
        "Count it with others: rocconf count monday.parquet tuesday.parquet -o week.parquet. Or check --positive.",
        METHODS,
    ),
    "files-unnamed": (
        "A counts file has room for 4 MB of names, some 15,000 files, and more were counted.",
        (
            "Files that are named are known again: counting one twice, or choosing thresholds on the cases that are judged, is "
            "refused. Of the others nobody knows."
        ),
        "Count fewer, larger files, like those of a month at a time, and keep apart which were counted.",
        SCALE,
    ),
    "binned": (
        "The counts are those of bins of scores, not of each score.",
        (
            "At the edges nothing is lost. The AUC has bounds, which its interval and rules on it allow for; of average "
            "precision and the like nothing is promised, so no rule is judged on them."
        ),
        "Nothing, if the bounds are close. Otherwise count with a higher --resolution or --max-scores, or give the cases.",
        SCALE,
    ),
    "bins-coarser": (
        "A counts file among the sources has coarser bins than --resolution asks for.",
        "What was counted in coarse bins cannot be told apart again. Counts of several resolutions add up at the coarsest.",
        "Nothing, if these bins will do. Otherwise count the cases of that file again.",
        SCALE,
    ),
    "scores-over-budget": (
        "There are more distinct scores than were to be counted exactly.",
        "Exact counts of very many scores need much memory. Bins were counted instead, in the same pass, without an error.",
        "Nothing, if bins will do. Otherwise set --max-scores to more, or round the scores where they are made.",
        SCALE,
    ),
    "few-scores": (
        "The file has one or two distinct scores, as a column of predicted labels has.",
        "A ROC curve needs scores. From labels it has one point, and its AUC says little about the model.",
        "Name the column of probabilities or scores with --score.",
        METHODS,
    ),
    "folds-of-one-class": (
        "A fold of the cross-validation has cases of one class only.",
        "A fold without positives has no AUC, and a mean over the other folds would be one of other cases.",
        "Make the folds anew, with both classes in each (stratified), or fewer of them. The pooled AUC needs no folds.",
        SLICES,
    ),
    "slices-undecided": (
        "Some slices have fewer cases of a class than --min-cases.",
        "So few cases show nothing: they are listed, but not compared with the rest, and leave a rule about every slice open.",
        "Add cases, merge small groups into one in the file, or lower --min-cases.",
        SLICES,
    ),
    "slices-few-clusters": (
        "In some slices few clusters have cases of a class, or a few of them have most of the cases.",
        "How alike the cases of a cluster are cannot be estimated from so few, so their intervals miss more often.",
        "Add clusters to these slices, or merge small groups into one in the file.",
        CLUSTERS,
    ),
    "slice-of-all": (
        "The column of --by has one value.",
        "Its only slice is all cases, so there is nothing to compare it with.",
        "Check the column. A rule about its slices is one about all cases.",
        SLICES,
    ),
    "slices-alike": (
        "Values of the column of --by differ only in blanks or capitals.",
        "They are slices of their own, with fewer cases each, though they probably mean the same.",
        "Spell them alike in the file.",
        SLICES,
    ),
    "itself-in-slice": (
        "Both models have the same scores for every case of a slice.",
        "A model that was compared with itself proves nothing, so rules on differences stay open in this slice.",
        "If both models are meant to agree there, allow it with --allow-identical.",
        SLICES,
    ),
    "auc-below-half": (
        "The scores rank negatives above positives more often than the other way round.",
        "A model is seldom worse than guessing: more often the classes or the direction of the scores are swapped.",
        "Check --positive. If low scores mean positive, add --lower-is-positive.",
        METHODS,
    ),
    "auc-near-perfect": (
        "The AUC is 0.999 or more.",
        (
            "New cases are hardly ever so easy. The label, or something known only afterwards, may be among the inputs of "
            "the model, or these are the cases that it was trained on."
        ),
        "Check how the scores were made, and use cases that the model has not seen.",
        METHODS,
    ),
    "repeated-cases": (
        "At every score the numbers of cases are multiples of the same number, as if each case were there several times.",
        "The intervals take cases as independent. Copies make them too narrow, and rules pass too easily.",
        "Remove the copies: one row for each case.",
        INTERVALS,
    ),
    "counted-clusters": (
        "Cases of one patient or user were counted as if they were of several.",
        "Counts have no ids. Where cases of one patient are alike, the intervals of counts are too narrow.",
        "Analyse the cases themselves: rocconf sweep FILE --cluster COLUMN.",
        CLUSTERS,
    ),
    "clusters-suspected": (
        "A column called like patients, users or groups has the same value in several rows, in the first 1,000 of them.",
        (
            "Intervals take cases as independent. Several images of a patient, or sessions of a user, are alike: the file "
            "says less than as many patients would, intervals are too narrow, and rules pass too easily."
        ),
        "Name the column with --cluster. If its values do not make cases alike, ignore the warning.",
        CLUSTERS,
    ),
    "clusters-alike": (
        "Values of the column of --cluster differ only in blanks, capitals or the form of a number, like 1 and 1.0.",
        (
            "They count as different clusters, though they probably mean the same patient: what belongs together is then taken "
            "as independent, and intervals are too narrow."
        ),
        "Spell them alike in the file.",
        CLUSTERS,
    ),
    "clusters-of-one": (
        "The column of --cluster has a value of its own for every case.",
        "It says that all cases are independent. A column of ids does; one of patients with several cases does not.",
        "Name the column of what cases belong to, or leave out --cluster.",
        CLUSTERS,
    ),
    "few-clusters": (
        "Few clusters have cases of a class, or a few of them have most of the cases.",
        (
            "How alike the cases of a cluster are is estimated from the clusters. From few of them the estimate is rough, and "
            "Wilson's intervals in tables miss more often than they should; rules allow for it. A cluster with most of the "
            "cases sets the mean and hardly differs from it: clusters of unequal size count as fewer of equal size, by Kish's "
            "formula. Below 10 of them no rule on an interval passes or fails."
        ),
        "Add clusters rather than cases of the same ones.",
        CLUSTERS,
    ),
    "clusters-not-honest": (
        "A threshold was chosen on the cases that it is shown for, and cases are clustered.",
        "What its rates would be on new cases is found by drawing single cases, which clusters do not allow.",
        "Choose the threshold on other cases with --choose-on.",
        CLUSTERS,
    ),
    "several-segments": (
        "With clusters the confident thresholds are not one run of the curve.",
        (
            "The variance at a threshold depends on the clusters of its errors, so a threshold may be confident although "
            "stricter and looser ones are not. The segment and its measures are those of the longest run."
        ),
        "Look at the column confident of the rows: --all shows them.",
        CLUSTERS,
    ),
    "scores-rescaled": (
        "--rescale mapped the scores to [0, 1] by their least and largest value.",
        "Thresholds are shown on the new scale, and cannot be used on the old scores.",
        "Convert thresholds back, or leave out --rescale where it is not needed.",
        METHODS,
    ),
    "rescaled": (
        "--rescale mapped the scores to [0, 1] by their least and largest value.",
        "Rescaled scores are not probabilities; the midpoint and the thresholds are on the new scale.",
        "Use calibrated probabilities if you can.",
        KLEMENT,
    ),
    "models-in-one": (
        "The file has a column called model with several values, no ids, and is read as the cases of one model.",
        "If the values are classifiers, the AUC of all rows together describes no single one of them.",
        "Add --model model, and --id to compare them. If model is something else, nothing is wrong.",
        "docs/input.md",
    ),
    "dropped": (
        "Rows without a label or a score were left out, as --na drop asks.",
        "If values are missing for a reason that has to do with the outcome, the rest is not a fair sample.",
        "Find out why they are missing. Every report counts them.",
        METHODS,
    ),
    "dropped-elsewhere": (
        "Cases were left out because they have no value in another file.",
        "Models are compared on the cases that all of them have.",
        "Find out why the values are missing.",
        METHODS,
    ),
    "in-sample": (
        "A threshold was chosen on the same cases on which its rates are shown.",
        (
            "The best threshold of a sample looks better on that sample than on new cases, most of all with few "
            "positives."
        ),
        "Choose the threshold on other cases with --choose-on FILE, or give one: --at threshold=0.5.",
        METHODS,
    ),
    "alerts-none": (
        "The cases with the highest score are more than the rule lets be flagged.",
        "Cases with the same score are flagged together or not at all, so the rule takes the threshold that flags none.",
        "Allow more alerts, or use scores that tell these cases apart.",
        METHODS,
    ),
    "threshold-scale": (
        "The threshold puts nearly all cases on one side, or lies outside the scores.",
        "A threshold of 0.5 means nothing for scores from 0 to 100, or for log odds.",
        "Give the threshold on the scale of the scores.",
        METHODS,
    ),
    "choice-below-half": (
        "On the cases of --choose-on the scores rank worse than chance.",
        "A threshold chosen there is poor for the other cases too.",
        "Check the labels of that file, and --lower-is-positive.",
        METHODS,
    ),
    "few-replicates": (
        "The bootstrap has too few replicates to estimate limits at this level.",
        "The limits are then the largest and the smallest replicate, and unstable.",
        "Set --bootstrap to the number that the message names, or more.",
        METHODS,
    ),
    "bootstrap-empty": (
        "Some replicates of the bootstrap have no confident threshold.",
        "The mean differences aved and aved_abs do not exist there, and their intervals leave these replicates out.",
        "Read the interval with care: the segment is barely there.",
        ELAZMEH,
    ),
    "no-limit": (
        "A difference has no interval: replicates lack a value, or cannot vary as samples do.",
        "That happens with one case of a class, and with a perfect or a tied model.",
        "Collect more cases of the rarer class. A rule on the difference stays undecided.",
        METHODS,
    ),
    "no-variance": (
        "The variance of the difference of two AUCs is 0 or undefined, as for perfect or tied models.",
        "Then there is no test, and the limits combine those of the two AUCs, which is conservative.",
        "Collect more cases, or look at the scores: are they tied?",
        INTERVALS,
    ),
    "no-scores": (
        "Class totals alone were given, without a file of scores.",
        "There are contours, but no model and no thresholds.",
        "Write the contours with -o contours:FILE.csv, draw them with --plot, or give a FILE.",
        BRADLEY,
    ),
    "no-contour": (
        "No point of the chart reaches this value of chi2.",
        "Chi2 never exceeds the number of cases.",
        "Ask for lower --levels.",
        BRADLEY,
    ),
    "small-expected": (
        "At every threshold some cell of the table has an expected count below 5.",
        "Chi2 then has no usable distribution: the contours show its value, not its significance.",
        "Use the p-values of the rows, which are from Fisher's exact test.",
        BRADLEY,
    ),
    "midpoint-outside": (
        "The midpoint that divides the cases lies outside the scores.",
        "All cases are then on one side, and the struggle ratio says nothing about the model.",
        "Try --midpoint fixed, or give a number among the scores.",
        KLEMENT,
    ),
    "none-sensible": (
        "No case is on the side of the midpoint where its class belongs.",
        "Sensibility has no value, and the struggle ratio is infinite.",
        "Check --positive and --lower-is-positive.",
        KLEMENT,
    ),
    "reference-overlaps": (
        "Some cases of the reference are not earlier than the first case of the stream.",
        "If the domain had changed by then, the reference has the change too, and the martingales may never find it.",
        "Give only earlier cases as --reference, or a later part of the data with --where.",
        METHODS,
    ),
    "midpoints-outside": (
        "In some windows the midpoint lies outside the scores.",
        "Every case of a window is on one side of it, and its struggle ratio cannot be interpreted.",
        "Try --midpoint fixed, which lies between the means of the classes.",
        KLEMENT,
    ),
    "too-few-to-alarm": (
        "A class has so few cases that its martingale cannot reach the alarm, whatever their scores are.",
        "No alarm means nothing then. The metric drift_alarm has no value, and rules about it stay undecided.",
        "Collect more cases, or judge a longer period.",
        METHODS,
    ),
    "every-chosen": (
        "The length of the windows was chosen by the span of the times.",
        "Another span gives windows of another length. The alarms do not depend on them.",
        "Set --every.",
        METHODS,
    ),
    "times-in-utc": (
        "Times with a zone are converted to UTC.",
        "A case near midnight may fall on another day than where it happened.",
        "Write local times without a zone to have windows of local days.",
        METHODS,
    ),
    "same-scores": (
        "The cases and the reference have the same scores.",
        "A set compared with itself never drifts, whatever has happened.",
        "Give other cases as --reference.",
        METHODS,
    ),
    "few-permutations": (
        "With so few permutations no p-value can be as small as the level asks.",
        "The test can never reject: it would miss any drift.",
        "Set more --permutations.",
        METHODS,
    ),
    "part-alone": (
        "The test of the whole finds no change, but the test of one part does.",
        "D_joint gives a small class little weight. Choosing the test that rejects after seeing all of them finds changes by chance.",
        "If this part was the question from the start, use its p-value; otherwise collect more cases.",
        METHODS,
    ),
    "by-row": (
        "Cases of different files are paired by the order of their rows.",
        "If one file is sorted differently, every difference is wrong without any sign of it.",
        "Add a column of ids to the files.",
        METHODS,
    ),
    "unpaired": (
        "Models are compared as if on different cases.",
        "Pairing removes the variation between easy and hard cases, and detects much smaller differences.",
        "Give the scores of both models for the same cases, with ids.",
        METHODS,
    ),
    "class-without-cases": (
        "A class has a column of scores, but no case.",
        "How well its cases are told from others cannot be known, and an average without it would be about other classes.",
        "Add cases of the class or, if it is meant to be left out, name the others with --class NAME=COLUMN.",
        METHODS,
    ),
    "class-of-one-case": (
        "A class has a single case.",
        "How much its scores vary cannot be known from it, so that the averages have no intervals and rules stay open.",
        "Add cases of the class.",
        METHODS,
    ),
    "compared-with-itself": (
        "A model and its baseline have the same scores for all cases.",
        "The difference is 0 by construction, which is no evidence. Usually one file was given twice.",
        "Check the files. --allow-identical lets a rule pass on it.",
        CI,
    ),
    "no-band": (
        "The band cannot be computed for this curve.",
        "The message gives the reason; the curve is drawn without it.",
        "Ask for another kind of --band.",
        METHODS,
    ),
    "baseline-direction": (
        "High scores mean positive in one of the two, low scores in the other.",
        "The difference may compare a model with its mirror image.",
        "Check --lower-is-positive in both runs.",
        CI,
    ),
    "baseline-rescaled": (
        "The scores of one of the two were rescaled.",
        "Thresholds are on different scales. AUCs can be compared.",
        "Compare rates only where both have the same scale.",
        CI,
    ),
    "baseline-other-cases": (
        "The report that is the baseline is about other cases.",
        "A difference between different cases may come from the cases, not from the models.",
        "Give the scores of the baseline for these cases.",
        CI,
    ),
    "baseline-same-cases": (
        "The baseline is a report about the same cases, and reports cannot be paired.",
        "Without pairs the interval of the difference is much wider than it could be.",
        "Give the file of the baseline's scores as --baseline.",
        CI,
    ),
    "baseline-unnamed-cases": (
        "The report that is the baseline does not say which cases it is about.",
        "They may be other cases, and the difference may come from them.",
        "Give the file of the baseline's scores as --baseline, or write the report again.",
        CI,
    ),
    "rule-beyond-intervals": (
        "The limit of a rule is the end of the metric's range.",
        "An interval never includes the end of the range, so the rule cannot pass.",
        "Set a limit inside the range, or judge the value alone: METRIC.point.",
        CI,
    ),
    "rule-passes-worse": (
        "A rule bounds a difference from the baseline on the side of the better models.",
        "A model that is much worse than the baseline passes it.",
        "Turn the comparison: delta_auc >= -0.01 passes models that are at most 0.01 worse.",
        CI,
    ),
    "carried-rules-judged": (
        "The configuration has rules, but none for the command that wrote the report.",
        "The report was judged by the rules it carries, which are those of the run that wrote it.",
        "Add a [[gate]] with the command of the report, or leave out the configuration.",
        CI,
    ),
    "carried-rules-replaced": (
        "The report carries rules that did not pass, and other rules were judged in their place.",
        "--require and the configuration replace the rules of a report, so that its own failure is not in the verdict.",
        "Judge the report without other rules, or repeat its rules among them.",
        CI,
    ),
    "band-unseen": (
        "A band was asked for, and no output of the run has it.",
        "Bands are drawn around the curves of the roc figure, and written as a table.",
        "Add --plot roc:FILE.png or -o bands:FILE.csv, or leave out --band.",
        METHODS,
    ),
    "mixed-directions": (
        "High scores mean positive in some of the models that are compared, and low scores in others.",
        "--lower-is-positive turns all models of a run, so that with it or without it some are compared turned around.",
        "Write the scores of one side with the opposite sign, such as -score, and compare those.",
        METHODS,
    ),
    "no-rule-for-command": (
        "The configuration has rules, but none for this command.",
        "Nothing was judged: the status 0 says that the command ran, not that a rule passed.",
        "Add a [[gate]] with this command.",
        CI,
    ),
    "no-rule": (
        "No rule was judged on this report.",
        "The gate decides nothing, and ends with 3.",
        "Give --require, a configuration, or a report that carries rules.",
        CI,
    ),
    "no-rule-judged": (
        "The step of a pipeline that judges has no rule.",
        "Without this warning, a job that lost its rules would look as if it had passed.",
        "Give --require, or a configuration with [[gate]].",
        CI,
    ),
    "more-rules-not-passed": (
        "GitHub shows ten annotations of a step; there are more.",
        "The others are in the step summary and in the files.",
        "Read the step summary.",
        CI,
    ),
    "undefined-passes": (
        'A rule passes although its metric has no value, because on_undefined = "pass" says so.',
        "Nothing was measured.",
        "Leave on_undefined out: the rule is then undecided.",
        CI,
    ),
    "low-level": (
        "A rule passes at a level at which at least one interval in five misses the true value.",
        "The lower the level, the narrower the interval, and the easier the rule.",
        "Set a level of 0.9 or more, or leave it out.",
        CI,
    ),
    "only-warnings": (
        'Every rule has severity = "warn".',
        "The exit status is 0 whatever the evidence, so the rules never stop a pipeline.",
        'Give severity = "error" to the rules that must hold.',
        CI,
    ),
    "exit-zero": (
        "A rule did not pass, but --exit-zero was given.",
        "The pipeline goes on as if it had.",
        "Leave out --exit-zero where the verdict must count.",
        CI,
    ),
    "inconclusive-passes": (
        "The evidence does not decide, but --inconclusive pass was given.",
        "The pipeline goes on, though the rule is not known to hold.",
        "Collect more cases, or leave out --inconclusive pass.",
        CI,
    ),
    "reports-direction": (
        "High scores mean positive in one report, and low ones in another.",
        "One of them may have the classes swapped.",
        "Check --lower-is-positive in both runs.",
        CI,
    ),
    "reports-rescaled": (
        "The scores of one of the reports were rescaled.",
        "Thresholds of the two are on different scales.",
        "Judge rules at thresholds one by one.",
        CI,
    ),
    "infinite-scores": (
        "Some scores are infinite.",
        "They rank first or last; the AUC and the rates are not affected.",
        "Nothing, if the model is meant to produce them.",
        METHODS,
    ),
    "auc-interval": (
        "The usual variance of the AUC is 0 or undefined, as for a perfect model or one case of a class.",
        "The interval is Newcombe's, which needs only the AUC and the numbers of cases.",
        "Nothing; more cases make it narrower.",
        INTERVALS,
    ),
    "prevalence": (
        "Precision and npv were restated for another share of positives.",
        "They depend on it. Restated values are not proportions of these cases, so they have no interval.",
        "Use them for the population that has this share.",
        METHODS,
    ),
    "cauc": (
        "cauc is the area of the confident segment.",
        "It shrinks as n grows, and a better model can have a smaller one.",
        "Compare models on the same cases only, and do not read it as an AUC.",
        ELAZMEH,
    ),
    "cauc-inferred": (
        "The paper's figure that defines cauc is lost from its text.",
        "cauc = cauc_tp + cauc_fp reproduces the orderings that the paper states.",
        "Say so when you publish it.",
        PAPERS,
    ),
    "aved": (
        "aved and aved_abs are means over the thresholds of the segment.",
        "They depend on which thresholds there are.",
        "Compare models on the same thresholds.",
        ELAZMEH,
    ),
    "chosen-thresholds": (
        "The measures of the segment are those of the listed thresholds only.",
        "A segment of a short list may be a single point.",
        "Compare models on the same --thresholds.",
        ELAZMEH,
    ),
    "no-confident-point": (
        "At every threshold misses and false alarms differ in number beyond chance.",
        "The confident segment is empty: cauc is 0, and aved has no value.",
        "Nothing; with scores in few steps this is common.",
        ELAZMEH,
    ),
    "few-errors": (
        "Some confident thresholds have so few errors that the test can never reject.",
        "These thresholds are confident whatever the errors are.",
        "Do not read much into a segment of very few errors.",
        ELAZMEH,
    ),
    "bootstrap": (
        "The intervals of the segment's measures come from a bootstrap.",
        "They apply to this number of cases, and tend to be too wide rather than too narrow.",
        "Compare them at the same n only.",
        METHODS,
    ),
    "point-not-whole": (
        "Rates of a given point do not stand for whole numbers of these cases.",
        "Fisher's test needs counts. The p-value of chi-square is an approximation, and rules do not rest on it.",
        "Give the rates as fractions of the class totals, like 6/55,4/5, if they were rounded.",
        METHODS,
    ),
    "largest-of-many": (
        "The largest chi2 is the best of all thresholds.",
        "The largest of many exceeds 3.84 by chance in a quarter to nearly half of all samples.",
        "Use max_chi2_p, which allows for it.",
        BRADLEY,
    ),
    "max-chi2": (
        "max_chi2 is the largest of many.",
        "By chance it exceeds 3.84 in a quarter of all samples or more.",
        "Use the p-value of chi2-contours.",
        BRADLEY,
    ),
    "probability-of-negative": (
        "With --lower-is-positive a score is read as the probability of being negative.",
        "No other reading makes low probabilities mean positive.",
        "Nothing, if that is what the scores are.",
        KLEMENT,
    ),
    "midpoint-half": (
        "The midpoint is T/(2P), a reconstruction.",
        "The paper's equation is lost from its text.",
        "Choose another with --midpoint.",
        PAPERS,
    ),
    "all-sensible": (
        "Every case is on its side of the midpoint.",
        "Capability, the accuracy on the other cases, has no value.",
        "Nothing.",
        KLEMENT,
    ),
    "struggle-wilson": (
        "The interval of the struggle ratio is Wilson's, in odds.",
        "It takes the midpoint as known.",
        "Set --bootstrap for one that does not.",
        METHODS,
    ),
    "redrawn": (
        "Some relabellings left a set without a class, and were drawn again.",
        "This happens where a class is rare; the test keeps its level.",
        "Nothing.",
        METHODS,
    ),
    "no-struggle-ratio": (
        "Scores outside [0, 1] have no struggle ratio.",
        "It needs probabilities.",
        "Use calibrated probabilities, or sensibility --rescale.",
        KLEMENT,
    ),
    "struggle-midpoint-outside": (
        "The midpoint of the struggle ratio lies outside the scores.",
        "The ratio cannot be interpreted.",
        "Use sensibility with another --midpoint.",
        KLEMENT,
    ),
    "bands": (
        "Bands around curves are drawn.",
        "Overlapping bands do not mean that models are equal.",
        "Read the differences, in the table pairs.",
        METHODS,
    ),
    "bootstrap-pairs": (
        "Some differences are tested by a bootstrap.",
        "Its p-values cannot be smaller than the number of replicates allows.",
        "Set more --bootstrap for smaller ones.",
        METHODS,
    ),
    "judged-on-point": (
        "A rule judges the value alone (METRIC.point).",
        "Half of all models exactly at the limit pass it.",
        "Judge the interval: leave out .point.",
        CI,
    ),
    "reports-other-cases": (
        "Reports judged together are about different cases.",
        "Each rule is judged on each report by itself.",
        "Nothing.",
        CI,
    ),
    "sealed-with-key": (
        "A saved report has the mark of the key that is set here.",
        "Only who has the key can have written it.",
        "Nothing.",
        CI,
    ),
    "sealed-without-key": (
        "A saved report has a digest, which shows that it was not changed by mistake.",
        "Whoever can write the file can write a report with a right digest.",
        "Set ROCCONF_KEY, or --key FILE, where the report is written and where it is judged.",
        CI,
    ),
    "sealed-unchecked": (
        "A saved report has the mark of a key, and no key is set here.",
        "Only its digest was checked, which whoever can write the file can compute.",
        "Set ROCCONF_KEY, or --key FILE, to the key that sealed it.",
        CI,
    ),
    "plan-judges-nothing": (
        "A plan says how many cases a rule needs if an assumption is true.",
        "It has seen no model, or only a pilot: that enough cases are planned is no evidence that the rule will pass.",
        "Measure that many cases, and judge the rule on them with --require.",
        PLAN,
    ),
    "plan-small-pilot": (
        "The pilot, or the report, has fewer than 50 positives.",
        "Its values are far from the true ones by chance, and the number of cases follows from the distance to the limit.",
        "Plan from numbers too, with the least advantage that would matter, or take a larger pilot.",
        PLAN,
    ),
    "plan-in-sample": (
        "The threshold of an operating point was chosen on the cases of the pilot.",
        "There its rates are better than on new cases, so the plan asks for too few.",
        "Give the threshold, as in tpr@threshold=0.5, or plan with --tpr or --fpr.",
        PLAN,
    ),
    "plan-left-out": (
        "Some rules of the configuration are about other metrics, slices or values without an interval.",
        "From numbers only rules on areas, and on tpr, fpr and specificity, are planned.",
        "Give a pilot, or a saved report, and the rule with --require.",
        PLAN,
    ),
}
