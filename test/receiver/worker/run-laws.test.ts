import { runLaws } from './run-laws.ts';

runLaws(40);
