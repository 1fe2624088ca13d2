import { render } from 'preact';
import { App } from './app.tsx';
import './components/dates/date-choice.tsx';
import './components/theme.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/grid.css';
import './style/batches.css';
import './style/results.css';
import './style/charts.css';
import './style/sql.css';

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
