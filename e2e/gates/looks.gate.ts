import { looks } from '../checks.ts'
import { testScreens } from '../screen-tests.ts'

testScreens('in both themes, wide and narrow', looks)
