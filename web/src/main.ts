import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { WorkerEngine } from './lib/api/engine';
import { loadRules } from './lib/api/rules';
import { startLang } from './lib/i18n/index.svelte';
import { startOnline } from './lib/net/online.svelte';
import { startOffline } from './lib/offline/worker.svelte';
import { startRouter } from './lib/router.svelte';
import { startSettings } from './lib/ui/settings.svelte';
import { startTheme } from './lib/ui/theme.svelte';

startTheme();
startSettings();
startRouter();
startOffline();
startOnline();

// In its own language from the first picture on.
await startLang();
const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
target.replaceChildren();
mount(App, { target, props: { services: { loadRules, createEngine: () => new WorkerEngine(), createAnalyst: () => new WorkerEngine() } } });
