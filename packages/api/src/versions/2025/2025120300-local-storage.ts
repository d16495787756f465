import { type Dated, enumeration, Untranslatable } from '../dated.ts'

export const localStorage: Dated = {
  version: 2025120300,
  types: {
    DiskType: enumeration(['crucible'], (type) => {
      if (type !== 'local') return 'crucible'
      throw new Untranslatable(406, 'Not Acceptable', 'disks with local storage are unknown to this version')
    }),
  },
}
