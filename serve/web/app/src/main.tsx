import './styles/index.css';
import { render } from 'preact';
import { App } from './app/App';
import { startLanguage } from './app/language';
import { loadSession } from './app/session';
import { startTheme } from './app/theme';

startLanguage();
startTheme();
void loadSession();
render(<App />, document.getElementById('app')!);
