#!/usr/bin/env node
import { guardProcess, run } from './dist/main.js';

guardProcess(process);
process.exitCode = await run(process.argv);
