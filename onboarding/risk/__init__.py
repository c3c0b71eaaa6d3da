"""How risky an application is: facts in, points with sentences out. Whole numbers only."""
