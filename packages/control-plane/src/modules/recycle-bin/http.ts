import { implement } from '../../pipeline/implement.ts'
import { deleteItem, deleteObject, emptyBin } from './delete.ts'
import { listBin, viewUse } from './list.ts'
import { viewRestorationPlan } from './restorations/plan.ts'
import { cancelRestoration, createRestoration, viewRestoration } from './restorations/service.ts'
import { restoreItem, viewRestore } from './restore.ts'
import { updateSettings, viewSettings } from './settings.ts'

export const recycleBinHttp = implement({
  recycleBinList: (cx, { query }) => listBin(cx, query),
  recycleBinUseView: (cx, { query }) => viewUse(cx, query),
  recycleBinEmpty: emptyBin,
  recycledItemPlan: viewRestore,
  recycledItemRestore: restoreItem,
  recycledItemDelete: deleteItem,
  objectDelete: deleteObject,
  restorationPlan: viewRestorationPlan,
  restorationCreate: createRestoration,
  restorationView: viewRestoration,
  restorationCancel: cancelRestoration,
  recycleBinSettingsView: viewSettings,
  recycleBinSettingsUpdate: (cx, { body }) => updateSettings(cx, body),
})
