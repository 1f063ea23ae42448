import './styles/index.css';
import { render } from 'preact';
import { App } from './app/App';
import { loadSession } from './app/session';
import { startTheme } from './app/theme';

startTheme();
void loadSession();
render(<App />, document.getElementById('app')!);
