/* SPDX-License-Identifier: BSD-3-Clause */
/* Browsers do not start workers for pages that are opened from disk. On these pages, a hidden frame replaces the worker of the search. */
if (location.protocol === "file:") {
    window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            this.frame = document.createElement("iframe");
            this.frame.hidden = true;
            this.frame.srcdoc = "<!doctype html><title>worker</title>";
            this.ready = new Promise(resolve => {
                this.frame.onload = () => {
                    const inside = this.frame.contentWindow, script = inside.document.createElement("script");
                    inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
                    script.src = url;
                    script.onload = resolve;
                    inside.document.head.append(script);
                };
            });
            document.body.append(this.frame);
        }

        postMessage(data) {
            this.ready.then(() => {
                const inside = this.frame.contentWindow;
                inside.dispatchEvent(new inside.MessageEvent("message", {data}));
            });
        }

        terminate() {
            this.frame.remove();
        }
    };
}
