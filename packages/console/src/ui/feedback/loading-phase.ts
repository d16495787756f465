export type Phase = 'off' | 'waiting' | 'running' | 'staying' | 'ending'

/**
 * The next phase of the loading bar, given whether a load is pending. A running bar stays for a while before it ends.
 */
export function follow(phase: Phase, active: boolean): Phase {
  switch (phase) {
    case 'off':
    case 'ending':
      return active ? 'waiting' : phase
    case 'waiting':
      return active ? phase : 'off'
    case 'running':
      return active ? phase : 'staying'
    case 'staying':
      return active ? 'running' : phase
    default:
      return phase satisfies never
  }
}

/** The phases that end on a timer. */
export const afterTimer = { waiting: 'running', staying: 'ending', ending: 'off' } as const
