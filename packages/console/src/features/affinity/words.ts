import type { AffinityFamily } from '@gantry/api/affinity.rules'

/** In lower case, for titles and messages. */
export const kindOf = (family: AffinityFamily): string => `${family} group`

/** The effect of a group's policy. */
export const policyTips: Readonly<Record<AffinityFamily, string>> = {
  'anti-affinity':
    'Whether members may start when the anti-affinity rule cannot be satisfied because every available sled already holds a member.',
  affinity:
    'Whether members may start when the affinity rule cannot be satisfied because the sled of the other members is full.',
}
