import { implement } from '../../pipeline/implement.ts'
import { downloadExport, viewExportPlan } from './export.ts'
import { beginImport, viewImportPlan } from './import.ts'

export const instanceFilesHttp = implement({
  instanceExportPlan: (cx, { path, query }) => viewExportPlan(cx, { ...path, ...query }),
  instanceExport: (cx, { path, query }) => downloadExport(cx, { ...path, ...query }),
  instanceImportPlan: (cx, { path }) => viewImportPlan(cx, path),
  instanceImport: (cx, { path, body }) => beginImport(cx, path, body),
})
