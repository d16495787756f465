import { looks } from '../support/checks.ts'
import { testScreens } from '../support/screen-tests.ts'

testScreens('in both themes, wide and narrow', looks)
