import { type Dated, without } from '../dated.ts'

const frames = without('enable_jumbo_frames')

export const jumboFrames: Dated = {
  version: 2026060500,
  types: { Instance: frames, InstanceCreate: frames, InstanceUpdate: frames },
}
