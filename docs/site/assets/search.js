/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search of the site. It replaces Material's search and answers the same messages. GenerateSite writes WORDS
 * before this text: `phrases`, a list of phrases of users with the pages that they mean, and `names`, the names of
 * commands with the page of each.
 */
const SETUP = 0, READY = 1, QUERY = 2, RESULT = 3;
const TITLE = 12, PHRASE = 7, NAME = 7, HEADING = 3, TEXT = 1; // weights of a word
const MOST = 3; // how often a word of a text counts at most
const FIT = 200; // for a page that a phrase of users means
const QUESTION = 2; // how much more a question prefers tasks and guides to operations
const PAGES = 30, SECTIONS = 3, SNIPPET = 180;
const PASSED_OVER = new Set(("a an and are as at be by can could do does drua for from get give have how i if in is it "
    + "make me my need of on or should some so than that the their them there these this to use using want was we what "
    + "when where which why will with without would you your").split(" "));
const SAME = new Map([["nucleus", "nuclei"], ["focus", "foci"], ["puncta", "foci"], ["grey", "gray"],
    ["centre", "center"]]); // an object would also have "constructor"

/* Spelling variants and endings of a word become one stem. */
const STEMS = new Map();
function stem(word) {
    if (!STEMS.has(word)) {
        const plain = (SAME.get(word) || word).replace(/z/g, "s").replace(/our/g, "or").replace(/ll/g, "l");
        const single = plain.replace(/([^s])s$/, "$1");
        const short = single.replace(/(ation|ing|ed|er|e)$/, "").replace(/([bdgmnprt])\1$/, "$1");
        STEMS.set(word, short.length > 3 ? short : single);
    }
    return STEMS.get(word);
}

function words(text) {
    const apart = text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/_/g, " ");
    return (apart + " " + (text.match(/\w*_\w+/g) || []).join(" ")).toLowerCase().match(/[a-z0-9_]+/g) || [];
}

function plain(html) {
    return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim();
}

/* The number of letters to change, add, remove or exchange with the next one; above `most` any larger number. */
function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most)
        return most + 1;
    let before = [], last = [...Array(b.length + 1).keys()];
    for (let i = 1; i <= a.length; i++) {
        const row = [i];
        for (let j = 1; j <= b.length; j++) {
            const same = a[i - 1] === b[j - 1] ? 0 : 1;
            row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
                row[j] = Math.min(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
    }
    return last[b.length];
}

class Index {
    constructor(docs) {
        this.pages = new Map(); // by location
        this.places = new Map(); // by stem: pages with the weight of the stem
        for (const doc of docs)
            this.add(doc);
        this.phrases = WORDS.phrases.map(([phrases, locations]) => {
            const pages = locations.map(location => this.pages.get(location)).filter(page => page);
            for (const page of pages)
                for (const word of new Set(phrases.flatMap(words)))
                    this.count(page, word, PHRASE, PHRASE);
            return {stems: phrases.map(phrase => this.content(phrase).map(stem)), pages};
        });
        this.names = new Map(Object.entries(WORDS.names)); // page of a command
        for (const [name, location] of this.names)
            if (this.pages.has(location))
                this.count(this.pages.get(location), name, NAME, NAME);
    }

    add(doc) {
        const [location, anchor] = doc.location.split("#");
        let page = this.pages.get(location);
        if (!page) {
            page = {location, title: doc.title, boost: doc.boost || 1, sections: [], text: "", stems: new Set()};
            this.pages.set(location, page);
            for (const word of words(plain(doc.title))) {
                page.stems.add(stem(word));
                this.count(page, word, TITLE, TITLE);
            }
        } else if (anchor)
            words(plain(doc.title)).forEach(word => this.count(page, word, HEADING, 2 * HEADING));
        const text = plain(doc.text);
        words(text).forEach(word => this.count(page, word, TEXT, MOST * TEXT));
        page.text += " " + text;
        if (anchor)
            page.sections.push({location: doc.location, title: doc.title, text});
    }

    /* Adds to the weight of a word on a page, up to a limit for weights of this kind. */
    count(page, word, weight, limit) {
        const key = stem(word);
        if (!this.places.has(key))
            this.places.set(key, new Map());
        const found = this.places.get(key), kinds = found.get(page) || {};
        kinds[weight] = Math.min(limit, (kinds[weight] || 0) + weight);
        found.set(page, kinds);
    }

    /* The words of a query without those of PASSED_OVER; all words if no other word remains. */
    content(query) {
        const all = words(query), telling = all.filter(word => !PASSED_OVER.has(word));
        return telling.length ? telling : all;
    }

    /*
     * The stems that match a word of a query, each with a factor: the word's own stem; longer stems if the word is the
     * last one; or else stems of likely typos, which keep the first letter.
     */
    stems(word, isLast) {
        const key = stem(word), found = new Map();
        if (this.places.has(key))
            found.set(key, 1);
        for (const other of isLast && word.length > 1 ? this.places.keys() : [])
            if (other !== key && other.startsWith(key))
                found.set(other, 0.5 * key.length / other.length);
        const most = key.length > 6 ? 2 : key.length > 3 ? 1 : 0;
        for (let away = 1; away <= most && !found.size; away++)
            for (const other of this.places.keys())
                if (other[0] === key[0] && distance(key, other, away) === away)
                    found.set(other, 0.8);
        return found;
    }

    search(query) {
        const asked = this.content(query), scores = new Map(), matched = new Set();
        asked.forEach((word, i) => {
            const best = new Map();
            for (const [key, factor] of this.stems(word, i === asked.length - 1)) {
                const places = this.places.get(key), rare = Math.log(1 + this.pages.size / places.size);
                matched.add(key);
                for (const [page, kinds] of places) {
                    const score = factor * rare * Object.values(kinds).reduce((sum, weight) => sum + weight);
                    if (score > (best.get(page) || {score: 0}).score)
                        best.set(page, {score, key});
                }
            }
            for (const [page, {score, key}] of best) {
                const sum = scores.get(page) || {score: 0, keys: new Set(), count: 0};
                scores.set(page, {score: sum.score + score, keys: sum.keys.add(key), count: sum.count + 1});
            }
        });
        for (const [page, sum] of scores) {
            const inTitle = [...sum.keys].filter(key => page.stems.has(key)).length / Math.max(1, page.stems.size);
            sum.score = (sum.score + 25 * inTitle) * (sum.count / asked.length) ** 2 * (1 + 0.1 * page.boost);
        }
        this.addPhrases(asked, scores);
        if (asked.length < words(query).length) // a question
            scores.forEach((sum, page) => sum.score *= page.location.startsWith("operations/") ? 1 : QUESTION);
        this.addName(query, scores);
        return {items: [...scores].sort((a, b) => b[1].score - a[1].score).slice(0, PAGES)
            .map(([page, sum]) => this.item(page, sum.score, matched)), suggest: []};
    }

    /* Adds to the score of the pages that a phrase in the query means, most if the phrase is the whole query. */
    addPhrases(asked, scores) {
        const known = asked.map(word => [...this.stems(word, false).keys()]);
        for (const {stems, pages} of this.phrases) {
            let fit = 0;
            for (const phrase of stems) {
                const hits = known.filter(keys => keys.some(key => phrase.includes(key))).length;
                if (hits >= phrase.length && phrase.length)
                    fit = Math.max(fit, hits / known.length);
            }
            if (fit > 0)
                pages.forEach((page, place) => {
                    const sum = scores.get(page);
                    if (sum)
                        sum.score += FIT * fit * fit / (1 + 0.4 * place);
                });
        }
    }

    /* The title of a page or the name of a command, with any prefix or in separate words, leads to its page. */
    addName(query, scores) {
        const text = query.trim().toLowerCase(), name = text.replace(/^ext\.|\(.*$/g, "");
        const spellings = [name, name.replace(/^(drua|clij2|clijx|clij)_/, ""), words(query).join(""),
            words(query).reverse().join("")];
        const location = spellings.map(spelling => this.names.get(spelling)).find(page => page);
        for (const page of this.pages.values())
            if (page.location === location || page.title.toLowerCase() === text)
                scores.set(page, {score: 10000 + page.boost});
    }

    item(page, score, matched) {
        const mark = text => text.replace(/[A-Za-z0-9]+/g, word =>
            words(word).some(part => matched.has(stem(part))) ? "<mark>" + word + "</mark>" : word);
        const snippet = text => {
            const at = text.split(" ").findIndex(word => words(word).some(part => matched.has(stem(part))));
            const from = text.split(" ").slice(Math.max(0, at - 8)).join(" ");
            const cut = from.length > SNIPPET ? from.slice(0, SNIPPET).replace(/\s\S*$/, "") + " ..." : from;
            return mark(cut.replace(/&[^;\s]*$/, ""));
        };
        const has = section => [...matched].some(key => words(section.title).some(word => stem(word) === key));
        const result = ({location, title, text}) =>
            ({location, title: mark(title), text: snippet(text), score, terms: {}});
        return [result({...page, text: page.text.trim()}),
            ...page.sections.filter(has).slice(1, SECTIONS + 1).map(result)];
    }
}

let index;
addEventListener("message", ({data: {type, data}}) => {
    if (type === SETUP) {
        index = new Index(data.docs);
        postMessage({type: READY});
    } else if (type === QUERY)
        postMessage({type: RESULT, data: data.trim() ? index.search(data) : {items: []}});
});
