// Judges one target after another: receives the options of a run, sends its exit code and JSON report.
import { outcomeExitCode, renderJson, runConformance } from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';

process.on('message', (options: ConformanceOptions) => void judge(options));

// A run that fails ends the process, so that its parent notices.
async function judge(options: ConformanceOptions): Promise<void> {
  const report = await runConformance({ ...options, rejections: process });
  process.send?.({ exitCode: outcomeExitCode(report), output: renderJson(report) });
}
