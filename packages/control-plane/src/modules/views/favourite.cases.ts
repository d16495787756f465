import type { favouriteOps } from '@gantry/api/views/favourite'
import { id } from '../../testing/case-values.ts'
import { type CasesOf, on } from '../../testing/operation-case.ts'

export const favouriteCases: CasesOf<typeof favouriteOps> = {
  favouriteList: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/favourites'] },
  favouriteAdd: {
    sent: { path: { object_id: id }, query: { kind: 'project' } },
    rule: on('read', 'project'),
    allowed: ({ ids }) => [`/ext/v1/favourites/${ids.project}?kind=project`],
  },
  favouriteRemove: {
    sent: { path: { object_id: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/favourites/${ids.project}`],
    missing: true,
  },
}
