import { runOrderLaws } from './run-order-laws.ts';

runOrderLaws(60);
