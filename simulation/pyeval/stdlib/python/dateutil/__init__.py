from dateutil import relativedelta
