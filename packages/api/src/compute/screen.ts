import { z } from 'zod'
import { family, get } from '../op.ts'
import { flag, InProject, maybe, NameOrId } from '../schema.ts'

export const screenOps = family('extensions', [], {
  instanceScreenStream: get('/ext/v1/instances/{instance}/screen/stream', {
    summary: 'Connect to the screen of an instance',
    path: z.object({ instance: NameOrId }),
    query: InProject.extend({
      /** To watch only, although the keyboard is free. */
      view_only: maybe(flag),
    }),
    transport: 'websocket',
  }),
})
