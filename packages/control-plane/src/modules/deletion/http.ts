import { implement } from '../../pipeline/implement.ts'
import { cancelDeletion, createDeletion, listDeletions, viewDeletion, viewPlan } from './service.ts'

export const deletionHttp = implement({
  deletionPlanView: viewPlan,
  deletionCreate: createDeletion,
  deletionList: (cx) => listDeletions(cx),
  deletionView: viewDeletion,
  deletionCancel: cancelDeletion,
})
