// Judges one target after another: takes the options of a run, tells the exit code and the JSON report of it.
import { outcomeExitCode, renderJson, runConformance } from '@hookproof/conformance';

process.on('message', (options) => void judge(options));

// A run that fails ends the process, so that its parent hears of it.
async function judge(options) {
  const report = await runConformance({ ...options, rejections: process });
  process.send?.({ exitCode: outcomeExitCode(report), output: renderJson(report) });
}
