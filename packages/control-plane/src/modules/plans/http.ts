import { implement } from '../../pipeline/implement.ts'
import { updateFourEyes, viewFourEyes } from './four-eyes.ts'
import {
  checkSavedPlan,
  commitSavedPlan,
  createSavedPlan,
  listSavedPlans,
  viewSavedPlan,
  withdrawSavedPlan,
} from './saved.ts'

export const plansHttp = implement({
  savedPlanList: (cx, { query }) => listSavedPlans(cx, query),
  savedPlanView: viewSavedPlan,
  savedPlanCreate: createSavedPlan,
  savedPlanCheck: checkSavedPlan,
  savedPlanCommit: commitSavedPlan,
  savedPlanWithdraw: withdrawSavedPlan,
  fourEyesSettingsView: (cx) => viewFourEyes(cx),
  fourEyesSettingsUpdate: updateFourEyes,
})
