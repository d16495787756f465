import type { PasswordState } from '@gantry/api/silo.rules'

export const passwordWords: Record<PasswordState, string> = {
  set: 'Set',
  one_time: 'One-time',
  none: 'None',
}
