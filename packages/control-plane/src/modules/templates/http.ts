import { implement } from '../../pipeline/implement.ts'
import { instanceView } from '../compute/instances/view.ts'
import { createFrom, createManyFrom } from './use.ts'
import { createTemplate, deleteTemplate, listTemplates, updateTemplate, viewTemplate } from './templates.ts'

export const templatesHttp = implement({
  instanceTemplateList: listTemplates,
  instanceTemplateCreate: (cx, { query, body }) => createTemplate(cx, query, body),
  instanceTemplateView: (cx, { path, query }) => viewTemplate(cx, { ...path, ...query }),
  instanceTemplateUpdate: (cx, { path, query, body }) => updateTemplate(cx, { ...path, ...query }, body),
  instanceTemplateDelete: (cx, { path, query }) => deleteTemplate(cx, { ...path, ...query }),
  instanceTemplateUse: async (cx, { path, query, body }) =>
    instanceView(await createFrom(cx, { ...path, ...query }, body)),
  instanceTemplateBatchUse: (cx, { path, query, body }) => createManyFrom(cx, { ...path, ...query }, body),
})
