import { named, nameText } from '../schema.ts'
import { switchLocations } from './address-lot.rules.ts'

/** Any name is read: that a rack has no such switch is refused with those that it has. */
export const SwitchSlot = named('SwitchSlot', nameText().meta({ enum: [...switchLocations] }))

/** What the parameter was called. */
export const formerSlot = { names: { switch_slot: 'switch_location' }, until: 2026030601 }
