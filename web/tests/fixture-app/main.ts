/** The app on hand-written positions instead of the rules: for work on looks and gestures. */
import { mount } from 'svelte';
import App from '../../src/App.svelte';
import '../../src/app.css';
import { startLang } from '../../src/lib/i18n/index.svelte';
import { startRouter } from '../../src/lib/router.svelte';
import { startTheme } from '../../src/lib/ui/theme.svelte';
import { fakeServices } from '../fixtures/fake';

startTheme();
await startLang();
startRouter();

const target = document.getElementById('app');
if (target) mount(App, { target, props: { services: fakeServices() } });
