import { implement } from '../../pipeline/implement.ts'
import { downloadExport, viewExportPlan } from './export.ts'

export const instanceFilesHttp = implement({
  instanceExportPlan: (cx, { path, query }) => viewExportPlan(cx, { ...path, ...query }),
  instanceExport: (cx, { path, query }) => downloadExport(cx, { ...path, ...query }),
})
