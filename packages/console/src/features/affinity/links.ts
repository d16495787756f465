// @chunk affinity-shared: every user of its operations needs this.
import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import type { LinkTarget } from '#/kit/links/link-target.ts'

/** The list of a family, which is a tab. */
export const familyLink = (family: AffinityFamily, project: string) =>
  ofFamily(family, {
    affinity: { to: '/projects/$project/affinity-groups', params: { project } } satisfies LinkTarget,
    'anti-affinity': { to: '/projects/$project/affinity', params: { project } } satisfies LinkTarget,
  })

/** The form that creates a group. */
export const newGroupLink = (family: AffinityFamily, project: string) =>
  ofFamily(family, {
    affinity: { to: '/projects/$project/affinity-groups-new', params: { project } } satisfies LinkTarget,
    'anti-affinity': { to: '/projects/$project/affinity-new', params: { project } } satisfies LinkTarget,
  })

/** Two groups of different families can have the same name, so each family has its own paths. */
export const affinityGroupLink = (family: AffinityFamily, project: string, group: string) =>
  ofFamily(family, {
    affinity: {
      to: '/projects/$project/affinity-groups/$group',
      params: { project, group },
    } satisfies LinkTarget,
    'anti-affinity': {
      to: '/projects/$project/affinity/$group',
      params: { project, group },
    } satisfies LinkTarget,
  })

export const editGroupLink = (family: AffinityFamily, project: string, group: string) =>
  ofFamily(family, {
    affinity: {
      to: '/projects/$project/affinity-groups/$group/edit',
      params: { project, group },
    } satisfies LinkTarget,
    'anti-affinity': {
      to: '/projects/$project/affinity/$group/edit',
      params: { project, group },
    } satisfies LinkTarget,
  })

const ofFamily = <Links extends Record<AffinityFamily, LinkTarget>>(
  family: AffinityFamily,
  links: Links,
): Links[AffinityFamily] => links[family]
