# SPDX-License-Identifier: BSD-3-Clause
# Writes each block of code of a Markdown file to FOLDER/LINE.LANGUAGE, and why a block cannot run to FOLDER/LINE.reason. Lists lines and languages.
# A block that is indented instead of fenced, or whose fence names no language, has the language none. awk -v
# folder=FOLDER -f blocks.awk FILE. A comment before a block says why it does not run: <!-- not run: REASON -->.
/^```/ && !inside {
    inside = 1
    language = substr($0, 4)
    sub(/[^a-z0-9].*/, "", language)
    if (language == "")
        language = "none"
    base = folder "/" NR
    file = base "." language
    printf "" > file
    if (reason != "")
        print reason > (base ".reason")
    print NR, language
    reason = ""
    next
}
/^```/ {
    inside = blank = 0
    close(file)
    next
}
inside {
    print > file
    next
}
/^<!-- not run: .* -->$/ {
    reason = $0
    sub(/^<!-- not run: /, "", reason)
    sub(/ -->$/, "", reason)
    next
}
/^    [^ ]/ && blank {print NR, "none"}
NF {reason = ""}
{blank = !NF}
