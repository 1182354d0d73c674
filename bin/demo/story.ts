import type { Control } from './control.ts';

interface Course {
  readonly name: string;
  readonly automation: 'workflow' | 'agent';
  readonly moves: readonly string[];
}

/** Three runs that between them take every kind of turn. */
const COURSES: readonly Course[] = [
  {
    name: 'invoice',
    automation: 'workflow',
    moves: ['running', 'waiting', 'running', 'waiting', 'running', 'finalizing', 'completed'],
  },
  {
    name: 'research',
    automation: 'agent',
    moves: ['pending', 'running', 'finalizing', 'completed'],
  },
  { name: 'import', automation: 'workflow', moves: ['running', 'failed'] },
];

/** Creates the runs and moves them, one step of each in turn; resolves to their names by run id. */
export async function playStory(
  control: Control,
  automations: Readonly<Record<Course['automation'], string>>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const runs: { readonly id: string; readonly course: Course }[] = [];
  for (const course of COURSES) {
    const { id } = await control.createRun(automations[course.automation]);
    names.set(id, course.name);
    runs.push({ id, course });
  }
  const longest = Math.max(...COURSES.map((course) => course.moves.length));
  for (let step = 0; step < longest; step += 1) {
    for (const { id, course } of runs) {
      const status = course.moves[step];
      if (status === undefined) continue;
      await control.moveRun(id, status, status === 'completed' ? { ok: true } : undefined);
    }
  }
  return names;
}
