// SPDX-License-Identifier: Apache-2.0
// A phone is too narrow for a diagram from left to right: from top to bottom its words have their size.
if (matchMedia("(max-width: 600px)").matches) {
    for (const diagram of document.querySelectorAll("pre.mermaid code")) {
        diagram.textContent = diagram.textContent.replace(/^(\s*(?:flowchart|graph)) LR/, "$1 TB");
    }
}
