import { implement } from '../../pipeline/implement.ts'
import { createProbe, deleteProbe, listProbes, listStatuses, viewProbe } from './service.ts'
import { probeView } from './views.ts'

export const probesHttp = implement({
  probeList: (cx, { query }) => listProbes(cx, query),
  probeCreate: async (cx, { query, body }) => probeView(await createProbe(cx, query, body)),
  probeView: (cx, { path, query }) => viewProbe(cx, { ...query, ...path }),
  probeDelete: (cx, { path, query }) => deleteProbe(cx, { ...query, ...path }),
  probeStatusList: (cx, { query }) => listStatuses(cx, query),
})
