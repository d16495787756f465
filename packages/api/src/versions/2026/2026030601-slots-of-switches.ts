import { type Dated, omitted, partsOf, ref, reshaped, type Schema, type TypeChange } from '../dated.ts'

/** The slot of a switch was called the switch, or its location. */
export const slotsOfSwitches: Dated = {
  version: 2026030601,
  types: {
    BfdSessionDisable: called('switch'),
    BfdSessionEnable: called('switch'),
    BfdStatus: called('switch'),
    LoopbackAddress: called('switch_location'),
    LoopbackAddressCreate: called('switch_location'),
    SwitchPort: called('switch_location'),
    // Parameters were any name.
    SwitchSlot: { schema: () => ref('Name') },
  },
}

function called(name: string): TypeChange {
  return {
    schema: (newer) => reshaped(newer, ['switch_slot'], { [name]: typeOf(newer, name) }),
    down: (newer) => ({ ...omitted(newer, ['switch_slot']), [name]: newer['switch_slot'] }),
    up: (older) => (name in older ? { ...omitted(older, [name]), switch_slot: older[name] } : older),
  }
}

/** A name in requests and of sessions; the location in answers was any text. */
const typeOf = (newer: Schema, name: string): Schema =>
  name === 'switch_location' && partsOf(newer).properties['id'] ? { type: 'string' } : ref('Name')
