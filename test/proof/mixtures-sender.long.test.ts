import { furtherMixtures, proveMixtures } from './prove.ts';

proveMixtures(furtherMixtures('sender'));
