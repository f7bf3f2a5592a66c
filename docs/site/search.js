// SPDX-License-Identifier: Apache-2.0
// Asks the built site's search the questions of a file, and fails if it answers too few of them. It runs the site's own
// search worker on the site's own index, as a browser does, so it has the same separators, languages and order.
//
// Usage: node search.js <folder of the site> <file of questions> [<question>...]; own questions print their first hits.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const LEAST = 0.92; // of all questions; every Chinese one
const SETUP = 0, QUERY = 2; // the worker's messages

function start(site) {
    const folder = path.join(site, "assets/javascripts/workers");
    const read = file => fs.readFileSync(path.join(folder, file), "utf8");
    let handle, answered;
    const worker = {
        console: { log() {}, warn() {}, error: console.error },
        addEventListener: (event, listener) => { handle = listener; },
        postMessage: message => answered(message.data),
        importScripts: (...files) => files.forEach(file => vm.runInContext(read(file), worker)),
    };
    worker.self = worker;
    vm.createContext(worker);
    vm.runInContext(read(fs.readdirSync(folder).find(file => /^search\..*\.js$/.test(file))), worker);
    return (type, data) => new Promise((resolve, reject) => {
        answered = resolve;
        handle({ data: { type, data } }).catch(reject);
    });
}

async function main(site, file, ...own) {
    const ask = start(site);
    const index = JSON.parse(fs.readFileSync(path.join(site, "search/search_index.json"), "utf8"));
    await ask(SETUP, { ...index, options: { suggest: false } });
    const hits = async question => (await ask(QUERY, question)).items.map(page => page[0].location);
    for (const question of own) {
        console.log(`${question}: ${(await hits(question)).slice(0, 5).join(", ")}`);
    }
    if (own.length > 0) {
        return;
    }
    const lines = fs.readFileSync(file, "utf8").split("\n").filter(line => line && !line.startsWith("#"));
    const wrong = [];
    for (const line of lines) {
        const [question, expected] = line.split(" -> ");
        if (!index.docs.some(part => part.location === expected)) {
            throw new Error(`${file}: there is no ${expected}`);
        }
        const [first] = await hits(question);
        const right = expected.includes("#") ? first === expected : first && first.split("#")[0] === expected;
        if (!right) {
            wrong.push(`${question}: ${first}, not ${expected}`);
        }
    }
    console.log(`search: ${lines.length - wrong.length} of ${lines.length} questions lead to their page`);
    wrong.forEach(line => console.log(`search: ${line}`));
    const chinese = wrong.filter(line => /\p{Script=Han}/u.test(line)).length;
    if (chinese > 0 || lines.length - wrong.length < LEAST * lines.length) {
        process.exitCode = 1;
    }
}

main(...process.argv.slice(2));
