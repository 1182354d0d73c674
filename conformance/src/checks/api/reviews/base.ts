import type { Check, Requirements } from '../../../check-kit/check.ts';

/**
 * What all checks of the review update have alike. Without a control interface they share the fixtures of the run.
 */
export function base(name: string, ...requirements: Requirements): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.review-update.${name}`,
    requirements,
    side: 'api',
    access: 'write',
    exclusive: 'without-worlds',
    needs: ['key.main', 'fixture.openReviewId'],
  };
}
